/** The cookie of a browser in which someone has signed in. */
export const deviceCookieName = 'caseway-device';
