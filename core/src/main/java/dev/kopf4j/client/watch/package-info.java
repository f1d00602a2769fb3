/** Opens single watches, and reads their events. They end and break; {@code client.stream} keeps them going. */
package dev.kopf4j.client.watch;
