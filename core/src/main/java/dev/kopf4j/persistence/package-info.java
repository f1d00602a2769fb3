/**
 * What the operator remembers on the objects themselves: the state that was handled last (the diff-base), and how far
 * the handlers of an unfinished change have come (the progress). All formats are Kopf's, to the byte where it matters,
 * so that operators of both kinds can take over each other's objects.
 *
 * <p>Everything here is a pure function of the object's body and the patch in the making: bodies are never changed,
 * patches are, and nothing is sent. What people have broken by hand is warned about and taken as absent, never thrown.
 */
package dev.kopf4j.persistence;
