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

/** The packages that package.json names under `dependencies`, and theirs in turn, by name. Runs when the program is bundled. */
export function bundledPackages(): BundledPackage[] {
  const found = new Map<string, BundledPackage>()
  for (const name of Object.keys(readManifest(root).dependencies ?? {})) collect(name, root, found)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
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
