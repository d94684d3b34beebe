import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import reviews from './1_reviews.sql' with { type: 'text' }
import codeOwners from './2_code_owners.sql' with { type: 'text' }
import viewedFiles from './3_viewed_files.sql' with { type: 'text' }
import restoredComments from './4_restored_comments.sql' with { type: 'text' }
import sent from './5_sent.sql' with { type: 'text' }
import requests from './6_requests.sql' with { type: 'text' }
import verdicts from './7_verdicts.sql' with { type: 'text' }
import jobs from './8_jobs.sql' with { type: 'text' }
import deletedComments from './9_deleted_comments.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'reviews',
  migrations: [
    { name: '1_reviews', sql: reviews },
    { name: '2_code_owners', sql: codeOwners },
    { name: '3_viewed_files', sql: viewedFiles },
    { name: '4_restored_comments', sql: restoredComments },
    { name: '5_sent', sql: sent },
    { name: '6_requests', sql: requests },
    { name: '7_verdicts', sql: verdicts },
    { name: '8_jobs', sql: jobs },
    { name: '9_deleted_comments', sql: deletedComments },
  ],
  start: async (context) => (await import('./follow-events.ts')).startFollowing(context),
  routes: async () => (await import('./routes.ts')).reviews,
  jobs: async () => [(await import('./tell-of-review.ts')).announceReviewJob],
}
