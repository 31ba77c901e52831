"""Wording per language, as data: quotation marks, dates, relative expressions, templates and small talk."""
