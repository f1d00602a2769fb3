package dev.kopf4j.engine.call;

import java.time.Instant;
import java.time.InstantSource;

/**
 * How often and since when a handler is tried. Immutable.
 *
 * @param retry attempts before this one
 * @param started when the first attempt was scheduled
 * @param now when this attempt starts
 * @param clock tells the time while it runs
 */
record CallTiming(int retry, Instant started, Instant now, InstantSource clock) {}
