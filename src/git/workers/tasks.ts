import { browseTasks } from './browse-tasks.ts'
import { checkTasks } from './check-tasks.ts'
import { diffTasks } from './diff-tasks.ts'
import { logTasks } from './log-tasks.ts'
import { makeTasks } from './make-tasks.ts'
import { mergeTasks } from './merge-tasks.ts'
import { moveTasks } from './move-tasks.ts'
import type { OpenRepo } from './open-repos.ts'
import { refTasks } from './ref-tasks.ts'
import { statsTasks } from './stats-tasks.ts'
import { surveyTasks } from './survey-tasks.ts'
import { upkeepTasks } from './upkeep-tasks.ts'
import { versionTasks } from './version-tasks.ts'

/**
 * What workers do on request: input and output are structured-cloned, one function a task.
 * A task that may run long breathes (see breathe.ts), since workers serve several requests at once.
 */
export const tasks = {
  ...browseTasks,
  ...checkTasks,
  ...makeTasks,
  ...refTasks,
  ...diffTasks,
  ...logTasks,
  ...mergeTasks,
  ...moveTasks,
  ...statsTasks,
  ...surveyTasks,
  ...upkeepTasks,
  ...versionTasks,
} satisfies Record<string, (repo: OpenRepo, input: never) => Promise<unknown>>

export type TaskName = keyof typeof tasks
export type TaskInput<K extends TaskName> = Parameters<(typeof tasks)[K]>[1]
export type TaskOutput<K extends TaskName> = Awaited<ReturnType<(typeof tasks)[K]>>
