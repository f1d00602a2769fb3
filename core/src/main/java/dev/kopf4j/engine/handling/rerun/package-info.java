/**
 * Which state of an object counts as handled, where it changes while only some of its handlers have ended: the states
 * that handlers have seen are remembered, and those that have not seen the newest one are called again.
 */
package dev.kopf4j.engine.handling.rerun;
