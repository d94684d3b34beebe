import type { Level, Unit, Visibility } from '#access/index.ts'

/** What somebody, or a team, may do. */
export const levelWords: Record<Level, string> = {
  none: 'No access',
  read: 'Read',
  write: 'Write',
  admin: 'Admin',
  owner: 'Owner',
}

export const unitNames: Record<Unit, string> = {
  code: 'Code',
  issues: 'Issues',
  pulls: 'Pull requests',
  releases: 'Releases',
  wiki: 'Wiki',
  projects: 'Projects',
  packages: 'Packages',
  actions: 'Actions',
}

/** What tells of an account that not everybody sees it. */
export const visibilityMarks: Record<Visibility, readonly string[]> = { public: [], limited: ['Limited'], private: ['Private'] }

export function LevelMark({ level }: { level: Level }) {
  return <span class="mark">{levelWords[level]}</span>
}
