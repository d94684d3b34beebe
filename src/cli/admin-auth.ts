import { Command, InvalidArgumentError, Option } from 'commander'
import { LdapConfig, Oauth2Config, PamConfig, SmtpConfig, type SourceKind, secretMembers } from '#people/sources/index.ts'
import { AUTH_DESCRIPTION, withStore } from './admin.ts'
import type { AddSourceOptions, SourceOptions, TestSourceOptions, UpdateSourceOptions } from './admin-auth-actions.ts'
import type { Session } from './environment.ts'
import { examples } from './help.ts'
import type { StoreOptions } from './load.ts'

/** What is said of one setting in the schema of its kind. */
interface Member {
  type?: string
  description?: string
  enum?: readonly string[]
}

/** A way to make or change a source: `ldap-simple` is a directory whose DNs are made from names. */
interface Form {
  name: string
  kind: SourceKind
  description: string
  members: Readonly<Record<string, Member>>
}

const simple = ['user_dn']
const searched = ['bind_dn', 'bind_password', 'attributes_in_bind']

const forms: readonly Form[] = [
  { name: 'ldap', kind: 'ldap', description: 'LDAP (via BindDN): search for users in a directory', members: without(LdapConfig.properties, simple) },
  {
    name: 'ldap-simple',
    kind: 'ldap',
    description: 'LDAP (simple auth): build the user DN from the username',
    members: without(LdapConfig.properties, searched),
  },
  { name: 'smtp', kind: 'smtp', description: 'SMTP: sign in with the account of a mail server', members: SmtpConfig.properties },
  { name: 'pam', kind: 'pam', description: 'PAM: sign in with an account of this machine', members: PamConfig.properties },
  { name: 'oauth', kind: 'oauth2', description: 'OAuth2 or OpenID Connect: sign in with an external provider', members: Oauth2Config.properties },
]

/** Where Gitea's command line calls a setting something else. */
const giteaNames: Readonly<Record<string, string>> = {
  client_id: 'key',
  client_secret: 'secret',
  discovery_url: 'auto-discover-url',
  auth_url: 'custom-auth-url',
  token_url: 'custom-token-url',
  profile_url: 'custom-profile-url',
  email_url: 'custom-email-url',
  tenant: 'custom-tenant-id',
}

function without(members: Readonly<Record<string, Member>>, names: readonly string[]): Record<string, Member> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

/** `pocketforge admin auth …`, with Gitea's `add-ldap` and its like beside it. */
export function authCommand(session: Session): Command {
  const auth = new Command('auth').description(AUTH_DESCRIPTION)
  const add = new Command('add').description('create an authentication source')
  const update = new Command('update').description('update an authentication source; options that are not given stay unchanged')
  for (const form of forms) {
    add.addCommand(addForm(form, form.name, session))
    update.addCommand(updateForm(form, form.name, session))
    auth.addCommand(addForm(form, `add-${form.name}`, session), { hidden: true })
    auth.addCommand(updateForm(form, `update-${form.name}`, session), { hidden: true })
  }
  for (const command of [add, list(session), update, remove(session), attempt(session)]) auth.addCommand(command)
  return auth
}

const actions = () => import('./admin-auth-actions.ts')

function addForm(form: Form, name: string, session: Session): Command {
  const command = new Command(name).description(form.description).requiredOption('--name <name>', 'name of the source')
  const fields = addOptions(command, form)
  return withStore(command)
    .addHelpText('after', examples(...exampleOf(form)))
    .action(async (options: AddSourceOptions) => (await actions()).addSourceCommand({ options, kind: form.kind, fields }, session))
}

function updateForm(form: Form, name: string, session: Session): Command {
  const command = new Command(name)
    .description(form.description)
    .requiredOption('--id <id>', 'ID of the source', wholeNumber)
    .option('--name <name>', 'name of the source')
  const fields = addOptions(command, form)
  return withStore(command).action(async (options: UpdateSourceOptions) => (await actions()).updateSourceCommand({ options, kind: form.kind, fields }, session))
}

function exampleOf({ name }: Form): string[] {
  const base = `pocketforge admin auth add ${name} --name`
  if (name === 'ldap') {
    const where = '--host ldap.example.org --user-search-base ou=people,dc=example,dc=org'
    return [`${base} corp ${where} --user-filter '(uid=%s)' --email-attribute mail --bind-dn cn=reader --bind-password-file -`]
  }
  if (name === 'smtp') return [`${base} mail --host smtp.example.org --allowed-domains example.org`]
  return name === 'pam' ? [`${base} machine --service-name login --email-domain example.org`] : []
}

/** @returns by what commander calls an option, which setting it is */
function addOptions(command: Command, { kind, members }: Form): Map<string, string> {
  const inFiles: readonly string[] = [...secretMembers[kind], 'tls_ca']
  const fields = new Map<string, string>()
  for (const [name, member] of Object.entries(members)) {
    const flag = giteaNames[name] ?? name.replaceAll('_', '-')
    for (const option of optionsOf(flag, member)) {
      command.addOption(option)
      fields.set(option.attributeName(), name)
    }
    if (inFiles.includes(name))
      command.option(`--${flag}-file <file>`, `read the value of --${flag} from a file, which keeps it out of the process list; - is standard input`)
  }
  for (const [flag, description] of commonFlags) command.option(flag, description)
  return fields
}

const commonFlags = [
  ['--active', 'activate the source (default)'],
  ['--not-active', 'deactivate the source'],
  ['--synchronize-users', 'synchronize users periodically'],
  ['--disable-synchronize-users', 'do not synchronize users'],
  ['--skip-local-2fa', 'skip local two-factor authentication for users of this source'],
  ['--no-skip-local-2fa', 'require local two-factor authentication if the user has set it up'],
] as const

function optionsOf(flag: string, { type, description = '', enum: choices }: Member): Option[] {
  if (type === 'boolean') return [new Option(`--${flag}`, description), new Option(`--no-${flag}`).hideHelp()]
  if (type === 'integer') return [new Option(`--${flag} <number>`, description).argParser(wholeNumber)]
  if (!choices) return [new Option(`--${flag} <text>`, description)]
  return [new Option(`--${flag} <word>`, `${description}: ${choices.join(', ')}`).argParser((text) => choiceIn(choices, flag, text))]
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

/** In any case, as Gitea takes them. */
function choiceIn(choices: readonly string[], flag: string, text: string): string {
  const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase())
  if (found === undefined) throw new InvalidArgumentError(`unknown ${flag.replaceAll('-', ' ')} name: ${text}. Expected one of ${choices.join(', ')}.`)
  return found
}

function list(session: Session): Command {
  return withStore(new Command('list'))
    .description('list authentication sources')
    .option('--json', 'print JSON without secrets')
    .addHelpText('after', examples('pocketforge admin auth list', 'pocketforge admin auth list --json'))
    .action(async (options: StoreOptions & { json?: boolean }) => (await actions()).listSourcesCommand(options, session))
}

function remove(session: Session): Command {
  return withStore(new Command('delete'))
    .description('delete an authentication source that no user uses')
    .requiredOption('--id <id>', 'ID of the source', wholeNumber)
    .addHelpText('after', examples('pocketforge admin auth delete --id 1'))
    .action(async (options: SourceOptions) => (await actions()).deleteSourceCommand(options, session))
}

function attempt(session: Session): Command {
  return withStore(new Command('test'))
    .description('test an authentication source; does not create a user')
    .requiredOption('--id <id>', 'ID of the source', wholeNumber)
    .option('--username <name>', 'username to sign in with')
    .option('--password-file <file>', 'file with the password; - is standard input', '-')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('pocketforge admin auth test --id 1', 'pocketforge admin auth test --id 1 --username ada < password.txt'))
    .action(async (options: TestSourceOptions) => (await actions()).testSourceCommand(options, session))
}
