/**
 * Turns annotated classes and the functions of a builder into registered handlers, and refuses declarations that make
 * no sense, with the class, the method and the way out. This is done before anything is watched.
 */
package dev.kopf4j.engine.registration;
