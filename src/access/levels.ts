export const levels = ['none', 'read', 'write', 'admin', 'owner'] as const
export type Level = (typeof levels)[number]

/** The parts of a repository that can be granted one by one; names as in Gitea's `repo.*` units, without the prefix. */
export const units = ['code', 'issues', 'pulls', 'releases', 'wiki', 'projects', 'packages', 'actions'] as const
export type Unit = (typeof units)[number]
/** Those that this server has anything of; the others are kept for clients that name them. */
export const usedUnits = ['code', 'issues', 'pulls', 'releases', 'wiki'] as const satisfies readonly Unit[]

export function atLeast(have: Level, need: Level): boolean {
  return levels.indexOf(have) >= levels.indexOf(need)
}

export function lower(a: Level, b: Level): Level {
  return atLeast(a, b) ? b : a
}

export function higher(a: Level, b: Level): Level {
  return atLeast(a, b) ? a : b
}
