/** What the rendering thread is given: everything it needs, as it knows no users and opens no repository. */
export interface RenderJob {
  text: string
  /** Whether a line break stays one, as in comments; in documents it is a space. */
  keepsLineBreaks: boolean
  /** Whether boxes of task lists say in `data-task` on which line of the text they stand, from 0. */
  marksTasks?: boolean
  /** Where it becomes a part of a page; `within`, unless empty, tells it from others there. */
  onPage?: { within: string }
  /** `http://host:port/`, with the trailing slash. */
  rootUrl: string
  place: Place
  /** What references may become links to; undefined leaves all as text. */
  known: Known | undefined
}

/** Where the text stands, for what is relative to that. Addresses are absolute and end with a slash. */
export interface Place {
  /** `owner/name`, for `#1`. */
  repo: string | undefined
  /** For links such as `doc/a.md`; for those from the root, `/doc/a.md`. */
  links: Bases
  /** The same for pictures. */
  media: Bases
  /** Whether `[[Page]]` links to a page of the wiki. */
  isWiki: boolean
}

export interface Bases {
  here: string
  top: string
}

export interface Known {
  /** Lower-case names of the accounts that the viewer may see. */
  names: ReadonlySet<string>
  /** `organization/team`, in lower case, of the teams that the viewer knows of in the organization whose repository it is. */
  teams: ReadonlySet<string>
  /** Ids of the repository's commits as the text abbreviates them. */
  commits: ReadonlySet<string>
  /** `owner/name`, in lower case, of the repositories with issues or pull requests that the viewer may read. */
  trackers: ReadonlySet<string>
  /** The same of those whose commits the viewer may read. */
  histories: ReadonlySet<string>
  /** By `owner/name`, in lower case: the lowest number that is referred to and not there, as none above it is. */
  absent?: Readonly<Record<string, number>> | undefined
}

/** Larger files, in characters or bytes, are shown without colours. */
export const MAX_COLOURED = 262_144

/** A file to be shown with colours. */
export interface CodeJob {
  code: string | Uint8Array
  /** The file's, which tells the language. */
  name: string
  /** Which of its lines are wanted, by turns the number of the first, from 1, and how many. Default: all. */
  runs?: readonly number[]
}

/** The thread's answer. */
export interface Rendered {
  html: string
  /** Of a file, where its language is known. */
  lines?: string[]
}
