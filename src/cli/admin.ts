import { Command } from 'commander'
import type { AddBadgeOptions, ListBadgesOptions, RemoveBadgeOptions } from './admin-badge.ts'
import type { ListNamesOptions, NameOptions } from './admin-name.ts'
import type { ChangePasswordOptions, CreateUserOptions, DeleteUserOptions, ListUsersOptions, ResetFactorsOptions } from './admin-user.ts'
import type { Session } from './environment.ts'
import { examples, parseTokenName } from './help.ts'

export const AUTH_DESCRIPTION = 'manage authentication sources: LDAP, SMTP, PAM and OAuth2'

/** `pocketforge admin …`: what an administrator does without the server, or beside it. */
export function adminCommand(session: Session): Command {
  const user = new Command('user').description('manage users')
  for (const command of [create(session), list(session), changePassword(session), resetFactors(session), remove(session)]) user.addCommand(withStore(command))
  const badge = new Command('badge').description('manage the badges that site administrators can give to users through the API')
  for (const command of [addBadge(session), listBadges(session), removeBadge(session)]) badge.addCommand(withStore(command))
  const name = new Command('name').description('manage reserved names: names of deleted and renamed accounts, and names that you reserve')
  for (const command of [listNames(session), blockName(session), releaseName(session)]) name.addCommand(withStore(command))
  const description = 'manage the server from this machine, also while it is running'
  return [user, badge, name].reduce((admin, group) => admin.addCommand(group), new Command('admin').description(description))
}

function create(session: Session): Command {
  return new Command('create')
    .description('create a user')
    .requiredOption('--username <name>', 'username')
    .requiredOption('--email <address>', 'email address')
    .option('--password <password>', 'password (default: generated and shown once)')
    .option('--admin', 'make the user a site administrator')
    .option('--must-change-password', 'require a password change on the next sign-in')
    .option('--access-token', 'create an access token too and show it once')
    .option('--access-token-name <name>', 'name of the access token (default: "command line")', parseTokenName)
    .option('--scopes <list>', 'scopes of the access token, separated by commas', 'all')
    .option('--quiet', 'print only the access token')
    .addHelpText(
      'after',
      examples(
        'pocketforge admin user create --username ada --email ada@example.org --admin',
        'TOKEN=$(pocketforge admin user create --username bot --email bot@example.org --access-token --scopes write:repository --quiet)',
      ),
    )
    .action(async (options: CreateUserOptions, command: Command) => {
      if (options.accessTokenName !== undefined && !options.accessToken) command.error("error: option '--access-token-name <name>' needs '--access-token'")
      await (await import('./admin-user.ts')).createUserCommand(options, session)
    })
}

function list(session: Session): Command {
  return new Command('list')
    .description('list the users')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('pocketforge admin user list', 'pocketforge admin user list --json'))
    .action(async (options: ListUsersOptions) => (await import('./admin-user.ts')).listUsersCommand(options, session))
}

function changePassword(session: Session): Command {
  return new Command('change-password')
    .description('change the password of a user')
    .requiredOption('--username <name>', 'username')
    .option('--password <password>', 'new password (default: generated and shown once)')
    .option('--must-change-password', 'require a password change on the next sign-in')
    .addHelpText('after', examples('pocketforge admin user change-password --username ada'))
    .action(async (options: ChangePasswordOptions) => (await import('./admin-user.ts')).changePasswordCommand(options, session))
}

function resetFactors(session: Session): Command {
  return new Command('reset-mfa')
    .alias('disable-2fa')
    .description('disable two-factor authentication for a user: remove the authenticator app and all security keys')
    .requiredOption('--username <name>', 'username')
    .addHelpText('after', examples('pocketforge admin user reset-mfa --username ada'))
    .action(async (options: ResetFactorsOptions) => (await import('./admin-user.ts')).resetFactorsCommand(options, session))
}

function remove(session: Session): Command {
  return new Command('delete')
    .description('delete a user')
    .requiredOption('--username <name>', 'username')
    .option('--purge', 'delete the repositories of the user too; without it, a user who owns repositories cannot be deleted')
    .addHelpText('after', examples('pocketforge admin user delete --username ada', 'pocketforge admin user delete --username ada --purge'))
    .action(async (options: DeleteUserOptions) => (await import('./admin-user.ts')).deleteUserCommand(options, session))
}

function addBadge(session: Session): Command {
  return new Command('add')
    .description('create a badge')
    .requiredOption('--slug <slug>', 'slug of the badge: lowercase letters, digits, dots, dashes and underscores')
    .option('--description <text>', 'description of the badge', '')
    .option('--image-url <address>', 'URL of the badge image', '')
    .addHelpText('after', examples('pocketforge admin badge add --slug first-commit --description "Made a first commit"'))
    .action(async (options: AddBadgeOptions) => (await import('./admin-badge.ts')).addBadgeCommand(options, session))
}

function listBadges(session: Session): Command {
  return new Command('list')
    .description('list the badges')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('pocketforge admin badge list', 'pocketforge admin badge list --json'))
    .action(async (options: ListBadgesOptions) => (await import('./admin-badge.ts')).listBadgesCommand(options, session))
}

function removeBadge(session: Session): Command {
  return new Command('remove')
    .description('delete a badge and remove it from all users')
    .requiredOption('--slug <slug>', 'slug of the badge')
    .addHelpText('after', examples('pocketforge admin badge remove --slug first-commit'))
    .action(async (options: RemoveBadgeOptions) => (await import('./admin-badge.ts')).removeBadgeCommand(options, session))
}

function listNames(session: Session): Command {
  return new Command('list')
    .description('list the reserved names, and the email addresses of deleted accounts')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('pocketforge admin name list', 'pocketforge admin name list --json'))
    .action(async (options: ListNamesOptions) => (await import('./admin-name.ts')).listNamesCommand(options, session))
}

function blockName(session: Session): Command {
  return new Command('block')
    .description('reserve a name so that no user or organization can use it')
    .requiredOption('--name <name>', 'reserved name')
    .addHelpText('after', examples('pocketforge admin name block --name support'))
    .action(async (options: NameOptions) => (await import('./admin-name.ts')).blockNameCommand(options, session))
}

function releaseName(session: Session): Command {
  return new Command('release')
    .description('release a reserved name and the email addresses of the deleted account')
    .requiredOption('--name <name>', 'reserved name')
    .addHelpText('after', examples('pocketforge admin name release --name acme'))
    .action(async (options: NameOptions) => (await import('./admin-name.ts')).releaseNameCommand(options, session))
}

export function withStore(command: Command): Command {
  return command.option('--data <directory>', 'data directory (POCKETFORGE_DATA)').option('--config <file>', 'settings file (POCKETFORGE_CONFIG)')
}
