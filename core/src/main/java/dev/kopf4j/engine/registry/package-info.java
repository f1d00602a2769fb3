/**
 * Turns what users declare, annotated methods and lambdas, into the engine's handlers: finds the methods, reads their
 * annotations, decides what each parameter gets, and refuses what makes no sense before anything is watched.
 */
package dev.kopf4j.engine.registry;
