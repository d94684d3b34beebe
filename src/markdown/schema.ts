import { t } from 'elysia'

/** Longer texts are refused; GitHub takes 400 KB. */
export const MAX_TEXT = 1_048_576

const path = (description: string) => t.Optional(t.String({ maxLength: 4096, description }))
const text = t.Optional(t.String({ maxLength: MAX_TEXT, error: `must be a text of at most ${MAX_TEXT} characters` }))
const place = path(
  'where the text stands: /{owner}/{repo}, or /{owner}/{repo}/src/branch/{branch}/{directory}; issues, people, commits and relative links are found from there',
)
const wiki = t.Optional(t.Boolean({ description: 'deprecated: the same as mode wiki' }))

export const MarkdownOption = t.Object(
  { Text: text, Mode: path('markdown, gfm, comment or wiki; a plain document when absent'), Context: place, Wiki: wiki },
  { $id: 'MarkdownOption' },
)

export const MarkupOption = t.Object(
  {
    Text: text,
    Mode: path('markdown, gfm, comment, wiki, or file to go by the name of the file'),
    Context: place,
    FilePath: path('of a file in the repository, for mode file'),
    BranchPath: path('branch/{branch}, when the context does not tell'),
    Wiki: wiki,
  },
  { $id: 'MarkupOption' },
)
export type MarkupRequest = typeof MarkupOption.static

/** `text/html`, unlike the rest of the API. */
export const MarkdownRender = t.String({ $id: 'MarkdownRender', description: 'sanitized HTML' })
