/** The cookie by which a browser is known in which somebody has signed in. */
export const deviceCookieName = 'caseway-device';
