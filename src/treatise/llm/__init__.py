"""Calls to language models: requests, replies, retries, budgets, estimates and prompt files."""
