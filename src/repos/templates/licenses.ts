import licensesFile from 'spdx-license-list/spdx-full.json' with { type: 'file' }

/** A licence that a repository can start with. */
export interface License {
  /** SPDX identifier. */
  key: string
  name: string
  url: string
  text: string
}

type SpdxFile = Record<string, { name: string; url: string; licenseText: string }>

let loaded: Promise<Map<string, License>> | undefined

/** All licences of the SPDX list, by lower-case key; read when first asked for. */
export function licenses(): Promise<Map<string, License>> {
  loaded ??= readLicenses()
  return loaded
}

/** By SPDX identifier, in any case. */
export async function findLicense(key: string): Promise<License | undefined> {
  return (await licenses()).get(key.toLowerCase())
}

/** The text with year and holder filled in where the licence leaves room for them. */
export function fillLicense({ text }: License, holder: string, year: number): string {
  const filled = text
    .replace(/<year>|\[year\]|\[yyyy\]|\{year\}|\{yyyy\}|<yyyy>/gi, String(year))
    .replace(
      /<copyright holders?>|\[(full)?name\]|\[name of copyright owner\]|\{name of copyright owner\}|<owner>|<name of author>|\[copyright holders?\]|<holders?>/gi,
      () => holder,
    )
  return `${filled.trimEnd()}\n`
}

async function readLicenses(): Promise<Map<string, License>> {
  const file = (await Bun.file(licensesFile).json()) as SpdxFile
  return new Map(Object.entries(file).map(([key, { name, url, licenseText: text }]) => [key.toLowerCase(), { key, name, url, text }]))
}
