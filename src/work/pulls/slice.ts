import { RecentPushes } from '#code/contents/hooks.ts'
import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import { BranchEditors, RefHooks } from '#repositories/refs/hooks.ts'
import { PullReopening } from '#work/issues/hooks.ts'
import tables from './1_pulls.sql' with { type: 'text' }
import scheduledMerges from './2_scheduled_merges.sql' with { type: 'text' }
import forks from './3_forks.sql' with { type: 'text' }
import flow from './4_flow.sql' with { type: 'text' }
import mergeRefs from './5_merge_refs.sql' with { type: 'text' }
import versions from './6_versions.sql' with { type: 'text' }
import firstHead from './7_first_head.sql' with { type: 'text' }
import mergeOnto from './8_merge_onto.sql' with { type: 'text' }
import pushes from './9_pushes.sql' with { type: 'text' }
import endedBranches from './10_ended_branches.sql' with { type: 'text' }
import renamings from './11_renamings.sql' with { type: 'text' }
import orphanedPulls from './12_orphaned_pulls.sql' with { type: 'text' }
import acting from './13_acting.sql' with { type: 'text' }
import jobs from './14_jobs.sql' with { type: 'text' }
import livePushes from './15_live_pushes.sql' with { type: 'text' }
import { pullsFollowRefs } from './follow-refs.ts'
import { maintainerEdits } from './maintainer-edits.ts'
import { listRecentPushes } from './recent-store.ts'
import { reopenPull } from './reopen.ts'

export const slice: Slice<Context> = {
  name: 'pulls',
  migrations: [
    { name: '1_pulls', sql: tables },
    { name: '2_scheduled_merges', sql: scheduledMerges },
    { name: '3_forks', sql: forks },
    { name: '4_flow', sql: flow },
    { name: '5_merge_refs', sql: mergeRefs },
    { name: '6_versions', sql: versions },
    { name: '7_first_head', sql: firstHead },
    { name: '8_merge_onto', sql: mergeOnto },
    { name: '9_pushes', sql: pushes },
    { name: '10_ended_branches', sql: endedBranches },
    { name: '11_renamings', sql: renamings },
    { name: '12_orphaned_pulls', sql: orphanedPulls },
    { name: '13_acting', sql: acting },
    { name: '14_jobs', sql: jobs },
    { name: '15_live_pushes', sql: livePushes },
  ],
  attach: (context) => {
    context.services.get(RefHooks).add(pullsFollowRefs)
    context.services.get(BranchEditors).add(maintainerEdits)
    context.services.get(RecentPushes).list = listRecentPushes
    context.services.get(PullReopening).reopen = reopenPull
  },
  async start(context) {
    const [{ startMergingScheduled }, { startFollowingForks }] = await Promise.all([import('./follow-statuses.ts'), import('./follow-forks.ts')])
    startMergingScheduled(context)
    startFollowingForks(context)
  },
  routes: async () => (await import('./routes.ts')).pulls,
  async jobs() {
    const [{ closeOrphanedPulls, followDeletedBranch }, { followRenamedBranch }] = await Promise.all([import('./end-branch.ts'), import('./rename-branch.ts')])
    return [closeOrphanedPulls, followDeletedBranch, followRenamedBranch]
  },
}
