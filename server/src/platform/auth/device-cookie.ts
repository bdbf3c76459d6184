/** The cookie by which a browser is known in which someone has signed in. */
export const deviceCookieName = 'caseway-device';
