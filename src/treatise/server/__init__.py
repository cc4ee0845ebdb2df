"""The HTTP server: the library over the wire, with the JSON shapes of the command line.

It needs the extra ``server``; nothing else imports it.
"""
