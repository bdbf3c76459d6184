import type { Colleague } from '@caseway/contract/mentions';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { forScreenReaders } from '../ui/for-screen-readers.ts';

/** What is written after the last `@` before the caret: up to three words of a name. */
const sign = /(?:^|[\s(])@((?:[\p{L}\p{M}\p{N}’'.-]+ ?){0,3})$/u;
const pauseMs = 200;

/**
 * A text of several lines in which `@` and a name mention a colleague: found ones are listed below, and chosen
 * with the arrow keys and Enter or a click. The text holds their names; the caller stores their accounts.
 */
export function MentionField({
  label,
  placeholder,
  help,
  text,
  onText,
  chosen,
  onChosen,
  onSought,
  found,
  words,
}: {
  label: string;
  placeholder: string;
  help: string;
  text: string;
  onText: (text: string) => void;
  /** Those who were chosen before, with the names that are in the text. */
  chosen: readonly Colleague[];
  onChosen: (colleague: Colleague) => void;
  /** The words to look for; null if nobody is looked for. */
  onSought: (words: string | null) => void;
  /** Undefined as long as there is no answer. */
  found: readonly Colleague[] | undefined;
  words: { list: string; none: string; count: (count: number) => string };
}) {
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [closed, setClosed] = useState(false);
  const [active, setActive] = useState(0);
  const match = closed ? null : sign.exec(text.slice(0, caret));
  const written = match?.[1] ?? null;
  // A name that is chosen already is not looked for again.
  const isWhole = written !== null && chosen.some(({ name }) => written.trimEnd() === name);
  const sought = written === null || isWhole ? null : written.trim();
  useEffect(() => {
    const timer = setTimeout(() => onSought(sought), sought === null ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [sought, onSought]);
  const listed = sought === null ? undefined : found;
  const shown = listed?.[Math.min(active, listed.length - 1)];

  const choose = (one: Colleague) => {
    const start = caret - (written ?? '').length;
    // Two colleagues of one name are told apart in the text.
    const same = chosen.filter(({ id: other, name }) => other !== one.id && name.startsWith(one.name)).length;
    const name = same === 0 ? one.name : `${one.name} (${same + 1})`;
    onText(`${text.slice(0, start)}${name} ${text.slice(caret)}`);
    onChosen({ ...one, name });
    const next = start + name.length + 1;
    setCaret(next);
    setActive(0);
    // After the new text is in the field.
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(next, next);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!listed || listed.length === 0) return;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move !== undefined)
      setActive((now) => (Math.min(now, listed.length - 1) + move + listed.length) % listed.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && shown && !event.shiftKey) choose(shown);
    else if (event.key === 'Escape') setClosed(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Box sx={{ position: 'relative', width: '100%', display: 'grid', gap: 1 }}>
      <OutlinedInput
        multiline
        fullWidth
        minRows={2}
        maxRows={10}
        value={text}
        inputRef={input}
        onChange={(event) => {
          onText(event.target.value);
          setCaret(event.target.selectionStart ?? event.target.value.length);
          setClosed(false);
          setActive(0);
        }}
        onSelect={(event) => setCaret((event.target as HTMLTextAreaElement).selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => setClosed(true)}
        placeholder={placeholder}
        inputProps={{
          'aria-label': label,
          'aria-describedby': `${id}-help`,
          'aria-autocomplete': 'list',
          ...(listed && listed.length > 0
            ? { 'aria-controls': `${id}-list`, 'aria-activedescendant': `${id}-${shown!.id}` }
            : {}),
          maxLength: 10_000,
        }}
      />
      <Typography id={`${id}-help`} variant="body2" sx={{ color: 'text.secondary' }}>
        {help}
      </Typography>
      <Box role="status" sx={listed && listed.length === 0 ? undefined : forScreenReaders}>
        {listed === undefined ? '' : listed.length === 0 ? words.none : words.count(listed.length)}
      </Box>
      {listed && listed.length > 0 ? (
        <Paper
          variant="outlined"
          component="ul"
          role="listbox"
          id={`${id}-list`}
          aria-label={words.list}
          sx={{ listStyle: 'none', margin: 0, padding: 1, maxWidth: 360 }}
        >
          {listed.map((one, index) => (
            <Box
              component="li"
              key={one.id}
              id={`${id}-${one.id}`}
              role="option"
              aria-selected={one === shown}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setActive(index)}
              onClick={() => choose(one)}
              sx={{
                paddingX: 2,
                paddingY: 1.5,
                borderRadius: 1,
                cursor: 'pointer',
                overflowWrap: 'anywhere',
                ...(one === shown ? { backgroundColor: 'tint' } : {}),
              }}
            >
              {one.name}
            </Box>
          ))}
        </Paper>
      ) : null}
    </Box>
  );
}
