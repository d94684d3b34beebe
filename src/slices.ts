import { slice as access } from '#access/slice.ts'
import { slice as webhooks } from '#automation/webhooks/slice.ts'
import { slice as blobs } from '#blobs/slice.ts'
import { slice as archives } from '#code/archives/slice.ts'
import { slice as branches } from '#code/branches/slice.ts'
import { slice as commits } from '#code/commits/slice.ts'
import { slice as compare } from '#code/compare/slice.ts'
import { slice as contents } from '#code/contents/slice.ts'
import { slice as editorconfig } from '#code/editorconfig/slice.ts'
import { slice as languages } from '#code/languages/slice.ts'
import { slice as protection } from '#code/protection/slice.ts'
import { slice as releases } from '#code/releases/slice.ts'
import { slice as replays } from '#code/replays/slice.ts'
import { slice as statuses } from '#code/statuses/slice.ts'
import { slice as tagProtection } from '#code/tag-protection/slice.ts'
import { slice as tags } from '#code/tags/slice.ts'
import { slice as wiki } from '#code/wiki/slice.ts'
import { slice as activity } from '#community/activity/slice.ts'
import { slice as blocks } from '#community/blocks/slice.ts'
import { slice as follows } from '#community/follows/slice.ts'
import { slice as notifications } from '#community/notifications/slice.ts'
import { slice as pulse } from '#community/pulse/slice.ts'
import { slice as stars } from '#community/stars/slice.ts'
import { slice as watches } from '#community/watches/slice.ts'
import { slice as apiDocs } from '#doors/api-docs/slice.ts'
import { slice as gitHttp } from '#doors/git-http/slice.ts'
import { slice as pages } from '#doors/pages/slice.ts'
import events from '#kernel/database/1_events.sql' with { type: 'text' }
import storeState from '#kernel/database/2_store_state.sql' with { type: 'text' }
import goneRows from '#kernel/database/3_gone_rows.sql' with { type: 'text' }
import noStatistics from '#kernel/database/4_no_statistics.sql' with { type: 'text' }
import storeFile from '#kernel/database/5_store_file.sql' with { type: 'text' }
import completeCopies from '#kernel/database/6_complete_copies.sql' with { type: 'text' }
import jobs from '#kernel/database/7_jobs.sql' with { type: 'text' }
import type { Slice } from '#kernel/slice.ts'
import { slice as markdown } from '#markdown/slice.ts'
import { slice as mail } from '#outbound/mail/slice.ts'
import { slice as avatars } from '#people/avatars/slice.ts'
import { slice as badges } from '#people/badges/slice.ts'
import { slice as gpg } from '#people/gpg/slice.ts'
import { slice as keys } from '#people/keys/slice.ts'
import { slice as leaving } from '#people/leaving/slice.ts'
import { slice as oauth2 } from '#people/oauth2/slice.ts'
import { slice as orgs } from '#people/orgs/slice.ts'
import { slice as registration } from '#people/registration/slice.ts'
import { slice as secondFactors } from '#people/second-factors/slice.ts'
import { slice as sessions } from '#people/sessions/slice.ts'
import { slice as signOn } from '#people/sign-on/slice.ts'
import { slice as sources } from '#people/sources/slice.ts'
import { slice as teams } from '#people/teams/slice.ts'
import { slice as users } from '#people/users/slice.ts'
import { slice as audience } from '#repositories/audience/slice.ts'
import { slice as collaborators } from '#repositories/collaborators/slice.ts'
import { slice as deletions } from '#repositories/deletions/slice.ts'
import { slice as deployKeys } from '#repositories/deploy-keys/slice.ts'
import { slice as flags } from '#repositories/flags/slice.ts'
import { slice as forks } from '#repositories/forks/slice.ts'
import { slice as labels } from '#repositories/labels/slice.ts'
import { slice as migrations } from '#repositories/migrations/slice.ts'
import { slice as refs } from '#repositories/refs/slice.ts'
import { slice as repos } from '#repositories/repos/slice.ts'
import { slice as teamRepos } from '#repositories/team-repos/slice.ts'
import { slice as repoTemplates } from '#repositories/templates/slice.ts'
import { slice as topics } from '#repositories/topics/slice.ts'
import { slice as transfers } from '#repositories/transfers/slice.ts'
import { slice as unadopted } from '#repositories/unadopted/slice.ts'
import { slice as upkeep } from '#repositories/upkeep/slice.ts'
import { slice as admin } from '#site/admin/slice.ts'
import { slice as doctor } from '#site/doctor/slice.ts'
import { slice as misc } from '#site/misc/slice.ts'
import { slice as web } from '#web/slice.ts'
import { slice as assets } from '#work/assets/slice.ts'
import { slice as attachments } from '#work/attachments/slice.ts'
import { slice as comments } from '#work/comments/slice.ts'
import { slice as commitReferences } from '#work/commit-references/slice.ts'
import { slice as issueLabels } from '#work/issue-labels/slice.ts'
import { slice as issueTemplates } from '#work/issue-templates/slice.ts'
import { slice as issues } from '#work/issues/slice.ts'
import { slice as milestonePages } from '#work/milestone-pages/slice.ts'
import { slice as milestones } from '#work/milestones/slice.ts'
import { slice as pullPages } from '#work/pull-pages/slice.ts'
import { slice as pulls } from '#work/pulls/slice.ts'
import { slice as reactions } from '#work/reactions/slice.ts'
import { slice as reviews } from '#work/reviews/slice.ts'
import { slice as threads } from '#work/threads/slice.ts'
import { slice as times } from '#work/times/slice.ts'
import type { Context } from './context.ts'

/** Every room of the house, in the order in which a new store makes their tables: what a table refers to comes before it. */
export const slices: readonly Slice<Context>[] = [
  {
    name: 'kernel',
    migrations: [
      { name: '1_events', sql: events, formerly: ['0001_kernel'] },
      { name: '2_store_state', sql: storeState },
      { name: '3_gone_rows', sql: goneRows },
      { name: '4_no_statistics', sql: noStatistics },
      { name: '5_store_file', sql: storeFile },
      { name: '6_complete_copies', sql: completeCopies },
      { name: '7_jobs', sql: jobs },
    ],
    jobs: async () => [(await import('#kernel/database/delete-row.ts')).clearReferences],
  },
  mail,
  blobs,
  access,
  web,
  users,
  secondFactors,
  sessions,
  leaving,
  orgs,
  teams,
  keys,
  gpg,
  avatars,
  sources,
  registration,
  badges,
  oauth2,
  signOn,
  repos,
  refs,
  deletions,
  labels,
  collaborators,
  topics,
  flags,
  forks,
  teamRepos,
  deployKeys,
  audience,
  transfers,
  repoTemplates,
  migrations,
  upkeep,
  unadopted,
  markdown,
  commits,
  compare,
  replays,
  contents,
  branches,
  tags,
  protection,
  tagProtection,
  statuses,
  archives,
  releases,
  editorconfig,
  wiki,
  languages,
  milestones,
  issues,
  pulls,
  reviews,
  attachments,
  issueLabels,
  times,
  comments,
  reactions,
  assets,
  issueTemplates,
  commitReferences,
  threads,
  milestonePages,
  pullPages,
  webhooks,
  stars,
  watches,
  follows,
  blocks,
  activity,
  pulse,
  notifications,
  admin,
  doctor,
  misc,
  gitHttp,
  apiDocs,
  pages,
]
