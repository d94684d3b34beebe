import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import { HandOverHooks } from '#repositories/transfers/hooks.ts'
import issues from './1_issues.sql' with { type: 'text' }
import lists from './2_lists.sql' with { type: 'text' }
import otherOwners from './3_other_owners.sql' with { type: 'text' }
import orders from './4_orders.sql' with { type: 'text' }
import commitOrigin from './5_commit_origin.sql' with { type: 'text' }
import deletions from './6_deletions.sql' with { type: 'text' }
import following from './7_following.sql' with { type: 'text' }
import participants from './8_participants.sql' with { type: 'text' }
import deletedAlone from './9_deleted_alone.sql' with { type: 'text' }
import gone from './10_gone.sql' with { type: 'text' }
import entries from './11_entries.sql' with { type: 'text' }
import moved from './12_moved.sql' with { type: 'text' }
import goneDeletions from './13_gone_deletions.sql' with { type: 'text' }
import leftLabels from './14_left_labels.sql' with { type: 'text' }
import commenters from './15_commenters.sql' with { type: 'text' }
import referenceRights from './16_reference_rights.sql' with { type: 'text' }
import jobs from './17_jobs.sql' with { type: 'text' }
import deletedComments from './18_deleted_comments.sql' with { type: 'text' }
import { removeForeignLabels } from './left-labels.ts'

export const slice: Slice<Context> = {
  name: 'issues',
  migrations: [
    { name: '1_issues', sql: issues },
    { name: '2_lists', sql: lists },
    { name: '3_other_owners', sql: otherOwners },
    { name: '4_orders', sql: orders },
    { name: '5_commit_origin', sql: commitOrigin },
    { name: '6_deletions', sql: deletions },
    { name: '7_following', sql: following },
    { name: '8_participants', sql: participants },
    { name: '9_deleted_alone', sql: deletedAlone },
    { name: '10_gone', sql: gone },
    { name: '11_entries', sql: entries },
    { name: '12_moved', sql: moved },
    { name: '13_gone_deletions', sql: goneDeletions },
    { name: '14_left_labels', sql: leftLabels },
    { name: '15_commenters', sql: commenters },
    { name: '16_reference_rights', sql: referenceRights },
    { name: '17_jobs', sql: jobs },
    { name: '18_deleted_comments', sql: deletedComments },
  ],
  attach: ({ jobs, services }) => services.get(HandOverHooks).add((tx, repoId) => void jobs.enqueue(tx, removeForeignLabels, { repoId }, { key: repoId })),
  routes: async () => (await import('./routes.ts')).issues,
  jobs: async () => [(await import('./follow-moved.ts')).moveComments, removeForeignLabels],
}
