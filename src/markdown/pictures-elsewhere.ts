/** What the sanitiser writes: values stand in quotes and have no angle brackets in them. */
const tag = /<(\/?a|img|source)(?=[\s>/])([^>]*)>/g

/**
 * Our pages load nothing from elsewhere, so who wrote a text does not learn who reads it. A picture of another server becomes a link to it, by what it
 * is said to show; within a link, that text alone.
 * @param html as the sanitiser left it
 * @param root the server's as its reader reaches it, with the trailing slash
 */
export function linkPicturesElsewhere(html: string, root: string): string {
  if (!html.includes('<img ') && !html.includes('<source ')) return html
  let isInLink = false
  return html.replace(tag, (all: string, name: string, rest: string) => {
    if (name === 'img') return pictureOrLink(all, rest, root, isInLink)
    if (name === 'source') return candidatesIn(rest).every((address) => address.startsWith(root)) ? all : ''
    isInLink = name === 'a'
    return all
  })
}

function pictureOrLink(img: string, attributes: string, root: string, isInLink: boolean): string {
  const source = attributeIn('src', attributes)
  if (source === '' || source.startsWith(root)) return img
  const words = attributeIn('alt', attributes).trim() || `image at ${hostOf(source)}`
  return isInLink ? words : `<a href="${source}" rel="nofollow noreferrer">${words}</a>`
}

function candidatesIn(attributes: string): string[] {
  return attributeIn('srcset', attributes)
    .split(',')
    .map((one) => one.trim())
}

/** As it stands in the markup, escaped. */
function attributeIn(name: string, attributes: string): string {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
}

function hostOf(address: string): string {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#@]*)/i.exec(address)?.[1] ?? ''
}
