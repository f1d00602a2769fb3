/**
 * Turns annotated classes and the functions of a builder into registered handlers, and refuses at the start what makes
 * no sense, with the class, the method and the way out. Nothing is watched before it is through.
 */
package dev.kopf4j.engine.registration;
