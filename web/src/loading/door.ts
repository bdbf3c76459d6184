import { useLayoutEffect } from 'react';

/**
 * The sign-in form that the page itself has, until the program is there (decision record 0086). `ahead.ts` says on the
 * element of the document which one is shown, and in which language.
 *
 * The build writes this function into index.html as text: it may use nothing from outside of itself.
 */
export function showDoor(): void {
  const { door: name, language } = document.documentElement.dataset;
  const form = document.querySelector<HTMLTemplateElement>(
    `template[data-door="${name}"][data-language="${language}"]`,
  );
  if (!form) return;
  const door = document.getElementById('door')!;
  door.append(document.importNode(form.content, true));
  for (const styles of document.querySelectorAll<HTMLStyleElement>('style[data-door]'))
    styles.media = styles.dataset.door === name ? 'all' : 'not all';
  for (const styled of door.querySelectorAll<HTMLElement>('[data-style]'))
    styled.style.cssText = styled.dataset.style!;
  const settings = document.querySelector<HTMLMetaElement>('meta[name="caseway-config"]')!.content;
  const { demo } = JSON.parse(settings.startsWith('{') ? settings : '{}') as { demo?: boolean };
  const offered: Record<string, boolean> = {
    demo: demo === true,
    passkeys: 'PublicKeyCredential' in window && window.isSecureContext,
  };
  for (const part of door.querySelectorAll<HTMLElement>('[data-offered-with]'))
    if (!offered[part.dataset.offeredWith!]) part.remove();
  document.title = form.dataset.title!;
  const buttons = [...door.querySelectorAll('button')];
  const press = (button: HTMLButtonElement | null | undefined) => {
    door.dataset.pressed = String(buttons.indexOf(button!));
    button!.setAttribute('aria-busy', 'true');
  };
  // What changes after that is what the person wants to send.
  door.addEventListener('input', () => {
    delete door.dataset.pressed;
    for (const button of buttons) button.removeAttribute('aria-busy');
  });
  door.addEventListener('submit', (event) => {
    event.preventDefault();
    press(door.querySelector<HTMLButtonElement>('button[type=submit]'));
  });
  door.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button');
    if (button && button.type !== 'submit') press(button);
  });
  door.querySelector('input')!.focus();
}

/** What was typed before the program was there. */
export const typedAhead = (): string => document.querySelector<HTMLInputElement>('#door input')?.value ?? '';

const controls = 'input, button, a';

/**
 * Puts the form of the program in the place of that of the page: the focus stays where it is, and a button that was
 * pressed is pressed now.
 */
function takeOver(): void {
  const door = document.getElementById('door');
  if (!door?.hasChildNodes()) return;
  const root = document.getElementById('root')!;
  const focused = [...door.querySelectorAll(controls)].indexOf(document.activeElement!);
  const pressed = door.dataset.pressed;
  door.replaceChildren();
  for (const styles of document.querySelectorAll('style[data-door]')) styles.remove();
  if (focused >= 0) root.querySelectorAll<HTMLElement>(controls)[focused]?.focus();
  if (pressed !== undefined) setTimeout(() => root.querySelectorAll('button')[Number(pressed)]?.click());
}

/** For a screen that is shown in the place of the page's form. */
export const useDoorTaken = (): void => useLayoutEffect(takeOver, []);
