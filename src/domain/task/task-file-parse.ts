// Reads a task file back into its record, or says which of its parts is missing or not understood.
import { type Parsed, type Problem, parse, preview } from "../parse.ts";
import {
  DEPENDENCY_INTRO,
  DIMENSION_LABELS,
  NO_DEPENDENCIES,
  PLACE_LABELS,
  SEPARATOR,
  TASK_ID,
  TITLE,
  TaskFile,
} from "./task-file.ts";
import { decode } from "./task-file-text.ts";

export function parseTaskFile(markdown: string): Parsed<TaskFile> {
  const problems: Problem[] = [];
  const page = pageOf(markdown, problems);
  const history = page.sections.get("Amendment History");
  const record = {
    task_name: page.title,
    task_id: page.taskId,
    context: contextIn(sectionOf(page, "Context", "$.context", problems), problems),
    description: blockIn(sectionOf(page, "Description", "$.description", problems), problems),
    subtasks: listIn(sectionOf(page, "Subtasks", "$.subtasks", problems), NUMBERED, problems),
    ...
  };
}
