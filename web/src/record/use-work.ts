import type { WorkEndpoint } from '@caseway/contract/work-tasks';
import { useEffect, useRef } from 'react';
import { useApi } from '../data/api.ts';

/** What a component needs to know about the record whose tasks and clocks it shows. */
export interface WorkOf {
  work: WorkEndpoint;
  id: string;
  /** The record's version: a new one can have created tasks and stopped clocks. */
  version: number;
}

/** A record's open tasks and running clocks, reloaded with each version of it. */
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
