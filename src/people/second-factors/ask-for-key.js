// Asks the browser for a security key, and sends what it answers with the form that asked. Pages that need no key have no script.

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const descriptorsOf = (list) => list.map((one) => ({ ...one, id: bytesOf(one.id) }))

/** A new key, as the server reads it. */
async function create(options) {
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: descriptorsOf(options.excludeCredentials),
  }
  const { id, type, response } = await navigator.credentials.create({ publicKey })
  return {
    id,
    rawId: id,
    type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

/** What a key has signed. */
async function get(options) {
  const publicKey = { ...options, challenge: bytesOf(options.challenge), allowCredentials: descriptorsOf(options.allowCredentials) }
  const { id, type, response } = await navigator.credentials.get({ publicKey })
  return {
    id,
    rawId: id,
    type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: response.userHandle && textOf(response.userHandle),
    },
  }
}

const ceremonies = { create, get }

/** What the form asks for: it says so itself, or the server does when somebody means to use a key, since that is good for minutes alone. */
async function askedBy(form) {
  if (form.dataset.options) return JSON.parse(form.dataset.options)
  const answer = await fetch(form.dataset.ask, { headers: { Accept: 'application/json' } })
  if (!answer.ok) throw new Error('the server did not accept the request. Try again later, or sign in with your password.')
  const { options, sealed } = await answer.json()
  form.elements.challenge.value = sealed
  return options
}

/** The browser's own words for it are for developers. */
function reasonOf(error) {
  if (error.name === 'InvalidStateError') return 'This key is already added to your account.'
  if (error.name === 'NotAllowedError') return 'The request timed out or was canceled.'
  if (error.name === 'SecurityError') return 'The browser does not allow security keys at this address. Use a host name (not an IP address) and HTTPS.'
  return `Cannot use the security key: ${error.message}`
}

for (const form of document.querySelectorAll('form[data-ceremony]')) {
  const trouble = form.querySelector('[role=alert]')
  const tell = (reason) => {
    trouble.textContent = reason
    trouble.hidden = false
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    trouble.hidden = true
    try {
      const answer = await ceremonies[form.dataset.ceremony](await askedBy(form))
      form.elements.credential.value = JSON.stringify(answer)
      form.submit()
    } catch (error) {
      tell(reasonOf(error))
    }
  })
  // Browsers hide it on pages that came over plain HTTP, but for those of this machine itself.
  if (!globalThis.PublicKeyCredential) {
    if (form.dataset.optional) continue
    form.querySelector('button').disabled = true
    tell('Security keys work only over HTTPS or on localhost.')
  }
  form.hidden = false
}
