/**
 * The console: a page that shows a running operator, for whoever reaches the loopback interface of its machine or pod.
 * {@code OperatorConsole} is what an operator has of it; {@code ConsoleServer} answers and refuses;
 * {@code OperatorView} tells how the operator is doing as JSON, at the moment when that is asked for;
 * {@code RecentFigures} and {@code NotedObjects} hear of the steps and keep what cannot be asked later. Nothing is
 * written, and no values of objects are shown. The page itself is in the resources: HTML, a style sheet, a script, as
 * they are.
 */
@NullMarked
package dev.kopf4j.engine.console;

import org.jspecify.annotations.NullMarked;
