import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'ldapts'
import { eventually } from '../../../../test/eventually.ts'
import { certificate, certificateKey } from '../certificate.fixture.ts'
import type { LdapConfig } from '../config.ts'

const slapd = Bun.which('slapd', { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` })
const slapadd = Bun.which('slapadd', { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` })
/** Whether OpenLDAP's server is on this machine. */
export const hasSlapd = slapd !== null && slapadd !== null

export const suffix = 'dc=example,dc=org'
export const manager = { dn: `cn=manager,${suffix}`, password: 'manager password' }

const frame = (directory: string) => `dn: cn=config
objectClass: olcGlobal
cn: config
olcTLSCertificateFile: ${directory}/cert.pem
olcTLSCertificateKeyFile: ${directory}/key.pem

dn: cn=module,cn=config
objectClass: olcModuleList
cn: module
olcModulepath: /usr/lib/ldap
olcModuleload: back_mdb.la

dn: cn=schema,cn=config
objectClass: olcSchemaConfig
cn: schema

include: file:///etc/ldap/schema/core.ldif
include: file:///etc/ldap/schema/cosine.ldif
include: file:///etc/ldap/schema/inetorgperson.ldif

dn: cn=forge,cn=schema,cn=config
objectClass: olcSchemaConfig
cn: forge
olcAttributeTypes: ( 1.3.6.1.4.1.24552.500.1.1.1.13 NAME 'sshPublicKey' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )
olcObjectClasses: ( 1.3.6.1.4.1.24552.500.1.1.2.0 NAME 'ldapPublicKey' SUP top AUXILIARY MAY ( sshPublicKey $ uid ) )

dn: olcDatabase={1}mdb,cn=config
objectClass: olcMdbConfig
olcDatabase: {1}mdb
olcDbDirectory: ${directory}/data
olcSuffix: ${suffix}
olcRootDN: ${manager.dn}
olcRootPW: ${manager.password}
olcDbIndex: objectClass eq
olcLimits: dn.exact="cn=limited,${suffix}" size.soft=2 size.hard=2 size.prtotal=2
olcAccess: to attrs=userPassword by anonymous auth by self read by * none
olcAccess: to * by dn.exact="cn=searcher,${suffix}" read by self read by anonymous auth by * read
`

const tree = `dn: ${suffix}
objectClass: domain
dc: example

dn: ou=people,${suffix}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${suffix}
objectClass: organizationalUnit
ou: groups

dn: cn=searcher,${suffix}
objectClass: simpleSecurityObject
objectClass: organizationalRole
cn: searcher
userPassword: searcher password

dn: cn=limited,${suffix}
objectClass: simpleSecurityObject
objectClass: organizationalRole
cn: limited
userPassword: limited password
`

export interface Slapd extends AsyncDisposable {
  port: number
  securePort: number
  /** Changes the tree as its manager. */
  as: Client
  /** Puts a person below `ou=people` whose password is `NAME password`; what is empty is left out. */
  person(uid: string, more?: Record<string, string | string[] | Buffer>): Promise<string>
  /** Puts a group below `ou=groups` with these people in it. */
  group(cn: string, ...uids: string[]): Promise<string>
  /** A source's settings for it. */
  config: Partial<LdapConfig>
}

/** OpenLDAP's server on free ports of this machine, with a tree of its own. */
export async function startSlapd(): Promise<Slapd> {
  const directory = mkdtempSync(join(tmpdir(), 'pf-slapd-'))
  mkdirSync(join(directory, 'config'))
  mkdirSync(join(directory, 'data'))
  const files = { 'cert.pem': certificate, 'key.pem': certificateKey, 'frame.ldif': frame(directory), 'tree.ldif': tree }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text, { mode: 0o600 })
  const config = ['-F', join(directory, 'config')]
  load(['-n0', ...config, '-l', join(directory, 'frame.ldif')])
  load(['-n1', ...config, '-l', join(directory, 'tree.ldif')])
  const { port, securePort, server, as } = await serve(config)
  return {
    port,
    securePort,
    as,
    person: (uid, more = {}) => addPerson(as, uid, more),
    group: (cn, ...uids) => addGroup(as, cn, uids),
    config: {
      security_protocol: 'unencrypted',
      host: '127.0.0.1',
      port,
      bind_dn: `cn=searcher,${suffix}`,
      bind_password: 'searcher password',
      user_search_base: `ou=people,${suffix}`,
      user_filter: '(&(objectClass=inetOrgPerson)(uid=%s))',
      username_attribute: 'uid',
      firstname_attribute: 'givenName',
      surname_attribute: 'sn',
      email_attribute: 'mail',
    },
    async [Symbol.asyncDispose]() {
      await as.unbind().catch(() => {})
      server.kill()
      await server.exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function load(args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([slapadd as string, ...args])
  if (exitCode !== 0) throw new Error(`slapadd: ${stderr}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** On ports that nobody else took meanwhile: a server that does not get them ends. */
async function serve(config: string[]) {
  for (let left = 5; ; left--) {
    const [port, securePort] = [await freePort(), await freePort()]
    // The second address is none that the certificate names.
    const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort} ldaps://127.0.0.2:${securePort}`
    const server = Bun.spawn([slapd as string, ...config, '-h', urls, '-d', '0'], { stdout: 'ignore', stderr: 'ignore' })
    const as = await connect(port, () => server.exitCode === null)
    if (as) return { port, securePort, server, as }
    if (left === 0) throw new Error('slapd does not start')
  }
}

/** Once it answers; undefined when it has ended. */
async function connect(port: number, isRunning: () => boolean): Promise<Client | undefined> {
  return eventually(async () => {
    if (!isRunning()) return { client: undefined }
    const client = new Client({ url: `ldap://127.0.0.1:${port}`, strictDN: false })
    try {
      await client.bind(manager.dn, manager.password)
      return { client }
    } catch {
      return undefined
    }
  }, 'slapd to answer').then(({ client }) => client)
}

async function addPerson(as: Client, uid: string, more: Record<string, string | string[] | Buffer>): Promise<string> {
  const dn = `uid=${uid},ou=people,${suffix}`
  const known = { objectClass: ['inetOrgPerson', 'ldapPublicKey'], uid, cn: uid, sn: uid, mail: `${uid}@corp.example`, userPassword: `${uid} password` }
  const given = Object.entries({ ...known, ...more }).filter(([, value]) => value.length > 0)
  // Pictures are bytes, which the client takes too.
  await as.add(dn, Object.fromEntries(given) as Record<string, string | string[]>)
  return dn
}

async function addGroup(as: Client, cn: string, uids: string[]): Promise<string> {
  const dn = `cn=${cn},ou=groups,${suffix}`
  const member = uids.length === 0 ? [`cn=searcher,${suffix}`] : uids.map((uid) => `uid=${uid},ou=people,${suffix}`)
  await as.add(dn, { objectClass: 'groupOfNames', cn, member })
  return dn
}
