import access from './access/0003_access.sql' with { type: 'text' }
import activity from './activity/0016_activity.sql' with { type: 'text' }
import avatars from './avatars/0018_avatars.sql' with { type: 'text' }
import badges from './badges/0019_badges.sql' with { type: 'text' }
import blocks from './blocks/0014_blocks.sql' with { type: 'text' }
import follows from './follows/0013_follows.sql' with { type: 'text' }
import gpgKeys from './gpg/0017_gpg_keys.sql' with { type: 'text' }
import kernel from './kernel/0001_kernel.sql' with { type: 'text' }
import type { Migration } from './kernel/db.ts'
import publicKeys from './keys/0006_public_keys.sql' with { type: 'text' }
import deployKeys from './keys/0011_deploy_keys.sql' with { type: 'text' }
import labels from './labels/0020_labels.sql' with { type: 'text' }
import mail from './mail/0021_mail.sql' with { type: 'text' }
import orgs from './orgs/0007_orgs.sql' with { type: 'text' }
import refs from './refs/0005_refs.sql' with { type: 'text' }
import repos from './repos/0004_repos.sql' with { type: 'text' }
import purges from './repos/0022_purges.sql' with { type: 'text' }
import repoCounts from './repos/0023_repo_counts.sql' with { type: 'text' }
import teams from './teams/0010_teams.sql' with { type: 'text' }
import teamVisibility from './teams/0024_team_visibility.sql' with { type: 'text' }
import users from './users/0002_users.sql' with { type: 'text' }
import starCounts from './users/0008_star_counts.sql' with { type: 'text' }
import emailClaims from './users/0026_email_claims.sql' with { type: 'text' }
import watches from './watches/0015_watches.sql' with { type: 'text' }
import webhooks from './webhooks/0012_webhooks.sql' with { type: 'text' }
import webhookMakers from './webhooks/0025_webhook_makers.sql' with { type: 'text' }

/** Every table of every slice, in the order they are made. Only ever appended to. */
export const migrations: readonly Migration[] = [
  { name: '0001_kernel', sql: kernel },
  { name: '0002_users', sql: users },
  { name: '0003_access', sql: access },
  { name: '0004_repos', sql: repos },
  { name: '0005_refs', sql: refs },
  { name: '0006_public_keys', sql: publicKeys },
  { name: '0007_orgs', sql: orgs },
  { name: '0008_star_counts', sql: starCounts },
  { name: '0010_teams', sql: teams },
  { name: '0011_deploy_keys', sql: deployKeys },
  { name: '0012_webhooks', sql: webhooks },
  { name: '0013_follows', sql: follows },
  { name: '0014_blocks', sql: blocks },
  { name: '0015_watches', sql: watches },
  { name: '0016_activity', sql: activity },
  { name: '0017_gpg_keys', sql: gpgKeys },
  { name: '0018_avatars', sql: avatars },
  { name: '0019_badges', sql: badges },
  { name: '0020_labels', sql: labels },
  { name: '0021_mail', sql: mail },
  { name: '0022_purges', sql: purges },
  { name: '0023_repo_counts', sql: repoCounts },
  { name: '0024_team_visibility', sql: teamVisibility },
  { name: '0025_webhook_makers', sql: webhookMakers },
  { name: '0026_email_claims', sql: emailClaims },
]
