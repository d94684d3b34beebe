import { linkPicturesElsewhere } from './pictures-elsewhere.ts'

/** What others draw from blocks of code in these languages. */
const drawn: Record<string, string> = {
  mermaid: 'Mermaid diagram',
  math: 'LaTeX formula',
  geojson: 'GeoJSON map',
  topojson: 'TopoJSON map',
  stl: 'STL model',
}

/**
 * A text as a part of a page: its headings are below that of the page which shows it, of which there is one; it loads nothing from elsewhere; and where
 * others would see a drawing, it says that this is its source. The direction of each block follows its own first letters, as on GitHub and Gitea.
 * @param html as the sanitiser left it
 * @param root the server's as its reader reaches it, with the trailing slash
 * @param within what tells it from others on the same page: names that it gives to its headings and footnotes are its own
 */
export function fitOnPage(html: string, root: string, within: string): string {
  const lower = html.replace(/<(\/?)h([1-5])(?=[ >])/g, (_, slash: string, level: string) => `<${slash}h${Number(level) + 1}`)
  const told = lower.replace(
    /<pre><code class="language-(mermaid|math|geojson|topojson|stl)"/g,
    (code, name: string) => `<p class="faint">${drawn[name]} (source):</p>\n${code}`,
  )
  const directed = told.replace(/<(?:p|h[2-6]|ul|ol|blockquote|dl|table|summary)(?![^>]* dir=)(?=[ >])/g, '$& dir="auto"')
  const linked = linkPicturesElsewhere(directed, root)
  return within === '' ? linked : linked.replace(/( id="| href="#)((?:fn:|fnref:)?user-content-)/g, `$1$2${within}-`)
}
