/** The processes of a run, and what they share with this one: files, probes, signals. */
@NullMarked
package dev.kopf4j.e2e.endurance.process;

import org.jspecify.annotations.NullMarked;
