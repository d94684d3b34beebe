import pkg from '../package.json' with { type: 'json' }

export const version: string = pkg.version

/** Which Gitea this answers like, then who it is: clients parse the front and compare it. */
export const apiVersion = `1.24.7+pocketforge-${version}`

/** What the git protocol calls itself. */
export const gitAgent = `pocketforge/${version}`
