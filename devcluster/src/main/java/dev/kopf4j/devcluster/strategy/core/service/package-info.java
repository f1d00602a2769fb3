/** Services: addresses, ports, and what changes with their type. */
package dev.kopf4j.devcluster.strategy.core.service;
