"""Programs over tables: what a question may ask of a table, as operations on its rows and columns with their results.

A question about a table has many readings: "Who earned most?" may be the name in the row with the highest salary, or
the last name. `programs_of` lists them, `describe` says what speaks for each, and a trained reader of tables
(`core.ports.TableReader`) weighs that.
"""

from treatise.programs.features import Described, describe
from treatise.programs.program import Op, Program
from treatise.programs.question import Question
from treatise.programs.readings import programs_of
from treatise.programs.sheet import Sheet
from treatise.programs.vectors import WordVectors
from treatise.programs.worded import worded

__all__ = ["Described", "Op", "Program", "Question", "Sheet", "WordVectors", "describe", "programs_of", "worded"]
