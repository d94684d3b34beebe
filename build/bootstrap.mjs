// Runs a script of the project under the pinned Bun, fetching Bun and the packages first where they are missing.
//   node build/bootstrap.mjs src/main.ts --port 3001
// Plain Node without packages: it is the first thing that runs after a clone. It runs under Bun too, where that is all there is.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.bun
const home = join(root, '.bun')
const isWindows = process.platform === 'win32'

const bun = findBun() ?? installBun()
installPackages(bun)
run(bun, process.argv.slice(2))

function findBun() {
  if (process.versions.bun === wanted) return process.execPath
  return installedBun() ?? (versionOf('bun') === wanted ? 'bun' : undefined)
}

/** Which executable was found to run here, as the last install noted it. */
function installedBun() {
  const note = join(home, `bun-${wanted}.path`)
  const executable = existsSync(note) ? join(home, readFileSync(note, 'utf8')) : undefined
  return executable !== undefined && existsSync(executable) ? executable : undefined
}

/**
 * The `bun` package puts its executable in place by a postinstall script, which npm 11 does not run by itself;
 * the executable lies in one of its platform packages, so it is taken from there.
 */
function installBun() {
  say(`fetching Bun ${wanted} from the npm registry`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  npm(['install', '--prefix', home, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `bun@${wanted}`])
  const platforms = join('node_modules', '@oven')
  for (const name of readdirSync(join(home, platforms))) {
    const executable = join(platforms, name, 'bin', isWindows ? 'bun.exe' : 'bun')
    if (versionOf(join(home, executable)) !== wanted) continue
    writeFileSync(join(home, `bun-${wanted}.path`), executable)
    return join(home, executable)
  }
  fail(`Cannot run Bun ${wanted}: the npm registry has none that runs on ${process.platform} ${process.arch}. Install it from https://bun.sh and try again.`)
}

/** Installs what bun.lock names, unless the last install was of the same lock file. */
function installPackages(bun) {
  const stamp = join(root, 'node_modules', '.installed')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'bun.lock')))
    .update(readFileSync(join(root, 'package.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  say('fetching packages')
  const { status, stdout, stderr } = spawnSync(bun, ['install', '--frozen-lockfile'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) fail(`Cannot fetch the packages:\n${stdout}${stderr}`)
  writeFileSync(stamp, lock)
}

function npm(args) {
  // npm names its own script when it runs this; started by its script it needs no shell on Windows.
  const script = process.env.npm_execpath
  const own = script?.endsWith('npm-cli.js') && process.versions.bun === undefined
  const options = { cwd: home, encoding: 'utf8', stdio: ['ignore', 'ignore', 'inherit'] }
  const { status, error } = own ? spawnSync(process.execPath, [script, ...args], options) : spawnSync('npm', args, { ...options, shell: isWindows })
  if (status !== 0) fail(`Cannot fetch Bun ${wanted}: npm ${error?.message ?? `ended with ${status}`}`)
}

function versionOf(executable) {
  const { status, stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Hands over to Bun: its output, its signals and its exit code are ours. */
function run(bun, args) {
  const child = spawn(bun, args, { stdio: 'inherit', env: { ...process.env, PATH: pathWith(bun) } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) endWithParent(child)
  child.on('error', (error) => fail(`Cannot start ${bun}: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

/** npm passes signals on to a shell, which dies of them without a word to us. */
function endWithParent(child) {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
}

/** What the scripts start as `bun` is the same Bun. */
function pathWith(bun) {
  return bun === 'bun' ? process.env.PATH : `${dirname(bun)}${isWindows ? ';' : ':'}${process.env.PATH}`
}

function say(text) {
  process.stderr.write(`${text} …\n`)
}

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
