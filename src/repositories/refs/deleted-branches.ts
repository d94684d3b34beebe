import type { Context } from '#context.ts'

/** For how many seconds a deleted branch can be restored: its objects are kept so long, and where it pointed is remembered. */
export function restorableSeconds({ config }: Pick<Context, 'config'>): number {
  return Math.min(config.git.GC_GRACE_HOURS * 3600, config['git.reflog'].EXPIRATION * 86_400)
}
