"""Composing the prose that an assistant is handed: deterministic, pure, in the language of the last user message."""
