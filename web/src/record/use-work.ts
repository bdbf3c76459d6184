import type { WorkEndpoint } from '@caseway/contract/work-tasks';
import { useEffect, useRef } from 'react';
import { useApi } from '../data/api.ts';

/** What a component needs to know of the record whose tasks and clocks it shows. */
export interface WorkOf {
  work: WorkEndpoint;
  id: string;
  /** Of the record: a new version can have given tasks and stopped clocks. */
  version: number;
}

/** The open tasks and running clocks of a record, loaded again with each version of it. */
export function useWork({ work, id, version }: WorkOf) {
  const query = useApi(work, { params: { id } });
  const { refetch } = query;
  const read = useRef(version);
  useEffect(() => {
    if (read.current === version) return;
    read.current = version;
    void refetch();
  }, [version, refetch]);
  return query;
}
