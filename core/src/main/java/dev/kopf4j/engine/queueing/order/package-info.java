/**
 * Which of the objects that wait for a worker is served next: urgent work first, but nothing is overtaken for long.
 * Pure: no clock, no threads. {@code engine.queueing} is the only user.
 */
package dev.kopf4j.engine.queueing.order;
