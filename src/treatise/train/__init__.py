"""How the shipped models are made. torch is imported here and nowhere else."""
