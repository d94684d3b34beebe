import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import refs from './1_refs.sql' with { type: 'text' }
import reflogAge from './2_reflog_age.sql' with { type: 'text' }
import batches from './3_ref_batches.sql' with { type: 'text' }
import renamed from './4_renamed_branch.sql' with { type: 'text' }
import times from './5_ref_times.sql' with { type: 'text' }
import rowsOutlive from './6_rows_outlive_repository.sql' with { type: 'text' }
import wikiStores from './7_wiki_stores.sql' with { type: 'text' }
import stagedChanges from './8_staged_changes.sql' with { type: 'text' }
import deletedBranches from './9_deleted_branches.sql' with { type: 'text' }
import lostTips from './10_lost_tips.sql' with { type: 'text' }
import reflogActing from './11_reflog_acting.sql' with { type: 'text' }
import { markAllInexact } from './exactness-store.ts'

export const slice: Slice<Context> = {
  name: 'refs',
  migrations: [
    { name: '1_refs', sql: refs, formerly: ['0005_refs'] },
    { name: '2_reflog_age', sql: reflogAge },
    { name: '3_ref_batches', sql: batches },
    { name: '4_renamed_branch', sql: renamed },
    { name: '5_ref_times', sql: times },
    { name: '6_rows_outlive_repository', sql: rowsOutlive },
    { name: '7_wiki_stores', sql: wikiStores },
    { name: '8_staged_changes', sql: stagedChanges },
    { name: '9_deleted_branches', sql: deletedBranches },
    { name: '10_lost_tips', sql: lostTips },
    { name: '11_reflog_acting', sql: reflogActing },
  ],
  doubt: markAllInexact,
  start: async (context) => {
    const { writeAllDerived } = await import('./derived.ts')
    const { startForgetting } = await import('./forget-old.ts')
    context.tasks.start('write packed-refs', () => writeAllDerived(context))
    const { sweepBatches } = await import('./stage-refs.ts')
    context.tasks.start('settle refs that were written ahead', () => sweepBatches(context))
    const { fillTimes } = await import('./fill-times.ts')
    context.tasks.start('note the dates of branches', () => fillTimes(context))
    startForgetting(context)
  },
}
