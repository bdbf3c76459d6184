import { type OwnRecordAnswer, readOwnRecord } from '@caseway/contract/portal';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useApi } from '../../data/api.ts';
import { forScreenReaders } from '../../ui/for-screen-readers.ts';
import { TenantLogo } from '../../ui/TenantLogo.tsx';
import { useFormats } from '../../words/formats.ts';
import { ShownBefore } from './shown-before.ts';
import { useShownChild } from './shown-child.ts';

/**
 * One screen of the portal with its heading, in letters for reading at arm's length. `name` is the window's
 * title, which does not reveal the content, because others see a phone's list of windows; a guardian reads there
 * which child it is about. `said` is announced to screen readers as soon as the content has loaded.
 */
export function Screen({
  name,
  title,
  lead,
  said,
  children,
}: {
  name: string;
  title: string;
  lead?: ReactNode;
  said: string | undefined;
  children: ReactNode;
}) {
  const { t } = useTranslation('portal');
  const heading = useRef<HTMLHeadingElement>(null);
  const shownBefore = useContext(ShownBefore);
  const { key } = useLocation();
  // The title is there as soon as the heading is.
  const child = useShownChild();
  const whose = child?.firstName;
  useLayoutEffect(() => {
    document.title = [name, whose, t('frame.title')].filter(Boolean).join(' · ');
  }, [name, whose, t]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each address is a separate screen.
  useEffect(() => {
    // After opening another screen, its heading is announced. The browser announces the first one.
    if (shownBefore.current) heading.current?.focus();
    shownBefore.current = true;
  }, [key, shownBefore]);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
      <OnPaper />
      <Box role="status" sx={forScreenReaders}>
        {said}
      </Box>
      <Box>
        <Typography
          ref={heading}
          tabIndex={-1}
          variant="h1"
          sx={{ overflowWrap: 'anywhere', '&:focus': { outline: 'none' } }}
        >
          {title}
        </Typography>
        {lead ? (
          <Typography sx={{ color: 'text.secondary', marginTop: 1, fontSize: '1rem', lineHeight: 1.5 }}>
            {lead}
          </Typography>
        ) : null}
      </Box>
      {children}
    </Box>
  );
}

/** The names of the person and of the record's keeper, which nothing else on paper has. */
function OnPaper() {
  const { t } = useTranslation('portal');
  const formats = useFormats();
  const own = useApi(readOwnRecord).data;
  const child = useShownChild();
  if (!own) return null;
  const { birthDate, ...shown } = child ?? own;
  return (
    <Box sx={{ display: 'none', displayPrint: 'block' }}>
      {own.logo ? <TenantLogo address={own.logo} name="" height={56} width={200} /> : null}
      <Typography>{own.tenant}</Typography>
      <Typography sx={{ fontWeight: 650 }}>{nameOf(shown)}</Typography>
      {birthDate ? (
        <Typography>
          {t('file.birthDate')}: {formats.dayInWords(birthDate)}
        </Typography>
      ) : null}
    </Box>
  );
}

/** The known parts of the patient's name. */
export const nameOf = ({ firstName, lastName }: Pick<OwnRecordAnswer, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ');
