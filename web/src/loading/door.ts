import { useLayoutEffect } from 'react';

/**
 * The page's own sign-in form, until the program arrives (decision record 0086). `ahead.ts` marks on the
 * document element which form to show, and in which language.
 *
 * The build writes this function into index.html as text, so it may not use anything outside itself.
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
  const { demo, demoMessages } = JSON.parse(settings.startsWith('{') ? settings : '{}') as {
    demo?: boolean;
    demoMessages?: boolean;
  };
  const offered: Record<string, boolean> = {
    demo: demo === true,
    demoMessages: demoMessages === true,
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
  // Typing after a press cancels it: the user wants to send the new text.
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
  door.addEventListener('pointerdown', (event) => {
    door.dataset.held = String(buttons.indexOf((event.target as Element).closest('button')!));
  });
  door.addEventListener('pointerup', () => delete door.dataset.held);
  const field = door.querySelector('input')!;
  const mark = () => field.parentElement!.classList.toggle('Mui-focused', document.activeElement === field);
  field.addEventListener('focus', mark);
  field.addEventListener('blur', mark);
  field.focus();
}

/** The text typed so far, before the program arrives. */
export const typedAhead = (): string => document.querySelector<HTMLInputElement>('#door input')?.value ?? '';

const controls = 'input, button, a';

/**
 * Replaces the page's form with the program's: text and focus stay, and a button pressed earlier is pressed
 * now.
 */
function takeOver(type: (text: string) => void): void {
  const door = document.getElementById('door');
  if (!door?.hasChildNodes()) return;
  const focused = [...door.querySelectorAll(controls)].indexOf(document.activeElement!);
  const { pressed, held } = door.dataset;
  // Something may have been typed since the form was rendered with the text.
  type(typedAhead());
  door.replaceChildren();
  for (const styles of document.querySelectorAll('style[data-door]')) styles.remove();
  const root = document.getElementById('root')!;
  const button = (index: string) => root.querySelectorAll('button')[Number(index)];
  // By then the form has the text.
  queueMicrotask(() => {
    if (focused >= 0) root.querySelectorAll<HTMLElement>(controls)[focused]?.focus();
  });
  if (pressed !== undefined) setTimeout(() => button(pressed)?.click());
  // The browser fires no click for a press that began on a removed button.
  if (held !== undefined)
    window.addEventListener(
      'pointerup',
      ({ target }) => {
        if (button(held)?.contains(target as Node)) button(held)!.click();
      },
      { once: true },
    );
}

/** For a screen that replaces the page's form: `type` puts a text into its field. */
export const useDoorTaken = (type: (text: string) => void): void =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when first shown.
  useLayoutEffect(() => takeOver(type), []);
