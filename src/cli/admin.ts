import { Command } from 'commander'
import type { AddBadgeOptions, ListBadgesOptions, RemoveBadgeOptions } from './admin-badge.ts'
import type { ListNamesOptions, NameOptions } from './admin-name.ts'
import type { ChangePasswordOptions, CreateUserOptions, DeleteUserOptions, ListUsersOptions, ResetFactorsOptions } from './admin-user.ts'
import type { Session } from './environment.ts'
import { examples, parseTokenName } from './help.ts'

export const AUTH_DESCRIPTION = 'sources of sign-in: directories, mail servers, PAM, other sites'

/** `pocketforge admin …`: what an administrator does without the server, or beside it. */
export function adminCommand(session: Session): Command {
  const user = new Command('user').description('people who may sign in')
  for (const command of [create(session), list(session), changePassword(session), resetFactors(session), remove(session)]) user.addCommand(withStore(command))
  const badge = new Command('badge').description('badges, which site administrators give to people through the API')
  for (const command of [addBadge(session), listBadges(session), removeBadge(session)]) badge.addCommand(withStore(command))
  const name = new Command('name').description('reserved names: those of deleted and renamed accounts, and blocked ones')
  for (const command of [listNames(session), blockName(session), releaseName(session)]) name.addCommand(withStore(command))
  const description = 'manage the forge from this machine, also while it serves'
  return [user, badge, name].reduce((admin, group) => admin.addCommand(group), new Command('admin').description(description))
}

function create(session: Session): Command {
  return new Command('create')
    .description('create a user')
    .requiredOption('--username <name>', 'their name')
    .requiredOption('--email <address>', 'their e-mail address')
    .option('--password <password>', 'their password (default: a generated one, shown once)')
    .option('--admin', 'make them a site administrator')
    .option('--must-change-password', 'let them do nothing before they have changed it')
    .option('--access-token', 'make an access token too, shown once')
    .option('--access-token-name <name>', 'name of the access token (default: "command line")', parseTokenName)
    .option('--scopes <list>', 'what the token may do, separated by commas', 'all')
    .option('--quiet', 'print nothing but the token')
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
    .option('--json', 'as JSON, for programs')
    .addHelpText('after', examples('pocketforge admin user list', 'pocketforge admin user list --json'))
    .action(async (options: ListUsersOptions) => (await import('./admin-user.ts')).listUsersCommand(options, session))
}

function changePassword(session: Session): Command {
  return new Command('change-password')
    .description("change a user's password")
    .requiredOption('--username <name>', 'whose')
    .option('--password <password>', 'the new password (default: a generated one, shown once)')
    .option('--must-change-password', 'let them do nothing before they have changed it')
    .addHelpText('after', examples('pocketforge admin user change-password --username ada'))
    .action(async (options: ChangePasswordOptions) => (await import('./admin-user.ts')).changePasswordCommand(options, session))
}

function resetFactors(session: Session): Command {
  return new Command('reset-mfa')
    .alias('disable-2fa')
    .description('remove the authenticator app and the security keys of a user who has lost them: the password alone signs in then')
    .requiredOption('--username <name>', 'whose')
    .addHelpText('after', examples('pocketforge admin user reset-mfa --username ada'))
    .action(async (options: ResetFactorsOptions) => (await import('./admin-user.ts')).resetFactorsCommand(options, session))
}

function remove(session: Session): Command {
  return new Command('delete')
    .description('delete a user')
    .requiredOption('--username <name>', 'whom')
    .option('--purge', 'their repositories too; without it a user who owns some is kept')
    .addHelpText('after', examples('pocketforge admin user delete --username ada', 'pocketforge admin user delete --username ada --purge'))
    .action(async (options: DeleteUserOptions) => (await import('./admin-user.ts')).deleteUserCommand(options, session))
}

function addBadge(session: Session): Command {
  return new Command('add')
    .description('make a badge')
    .requiredOption('--slug <slug>', 'what it is called in requests: small letters, digits, dots, dashes and underscores')
    .option('--description <text>', 'what it is for', '')
    .option('--image-url <address>', 'where its picture is', '')
    .addHelpText('after', examples('pocketforge admin badge add --slug first-commit --description "Made a first commit"'))
    .action(async (options: AddBadgeOptions) => (await import('./admin-badge.ts')).addBadgeCommand(options, session))
}

function listBadges(session: Session): Command {
  return new Command('list')
    .description('list the badges')
    .option('--json', 'as JSON, for programs')
    .addHelpText('after', examples('pocketforge admin badge list', 'pocketforge admin badge list --json'))
    .action(async (options: ListBadgesOptions) => (await import('./admin-badge.ts')).listBadgesCommand(options, session))
}

function removeBadge(session: Session): Command {
  return new Command('remove')
    .description('remove a badge, also from everyone who has it')
    .requiredOption('--slug <slug>', 'which')
    .addHelpText('after', examples('pocketforge admin badge remove --slug first-commit'))
    .action(async (options: RemoveBadgeOptions) => (await import('./admin-badge.ts')).removeBadgeCommand(options, session))
}

function listNames(session: Session): Command {
  return new Command('list')
    .description('list them, with the addresses that deleted accounts had')
    .option('--json', 'as JSON, for programs')
    .addHelpText('after', examples('pocketforge admin name list', 'pocketforge admin name list --json'))
    .action(async (options: ListNamesOptions) => (await import('./admin-name.ts')).listNamesCommand(options, session))
}

function blockName(session: Session): Command {
  return new Command('block')
    .description('let nobody take a name, neither a person nor an organization')
    .requiredOption('--name <name>', 'which')
    .addHelpText('after', examples('pocketforge admin name block --name support'))
    .action(async (options: NameOptions) => (await import('./admin-name.ts')).blockNameCommand(options, session))
}

function releaseName(session: Session): Command {
  return new Command('release')
    .description('let a name be taken again, and the addresses of the deleted account that had it')
    .requiredOption('--name <name>', 'which')
    .addHelpText('after', examples('pocketforge admin name release --name acme'))
    .action(async (options: NameOptions) => (await import('./admin-name.ts')).releaseNameCommand(options, session))
}

export function withStore(command: Command): Command {
  return command.option('--data <directory>', 'the data directory (POCKETFORGE_DATA)').option('--config <file>', 'settings file (POCKETFORGE_CONFIG)')
}
