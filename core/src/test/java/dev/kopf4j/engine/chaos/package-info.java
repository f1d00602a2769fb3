/**
 * Random worlds: a seed chooses what operators, people, a server and a network do, and rules are checked at each call
 * of a handler, at each change of an object, and when all is calm. {@link dev.kopf4j.engine.chaos.EngineChaosTest} has
 * the method, {@link dev.kopf4j.engine.chaos.WorldPlan} what may differ between worlds.
 *
 * <p>What occurs, each with a counter that the test demands: requests that fail before or after they are carried out,
 * outages, and credentials that are refused, in the end for half an hour; watches that end, break, fall silent, expire
 * or tell old events; kills and stops; annotations and finalizers that people remove; objects of many levels, with huge
 * keys, or damaged; objects that are replaced by others of their names while handlers run, and just before a PATCH is
 * carried out. Children, strangers' objects and namespaces have worlds of their own in {@code ChildrenWorldsTest},
 * webhooks in {@code WebhookWorldsTest}, leases in {@code LeaderElectionChaosTest}.
 *
 * <p>10,000 of these worlds once missed that the outcome of a handler came to the next object of the name, as the world
 * was kinder than a real one in four ways. The server refused a foreign uid for the status, too, where a real one drops
 * the metadata of such a change; it looked at no version; nobody took a name between the read and the write, as people
 * waited for finalizers; and nothing that handlers wrote told whom it was for, so that only a later omission could show
 * it. Other gaps of that kind, found when this one was looked for: operator and server read JSON by one library, so
 * that its limits could not be met (what a server accepts is judged by tables of its answers now); nothing was said
 * about time, so that an object that waited ten minutes for errors of an outage was not late; and all worlds of
 * children were ordered ones, as the first draws of {@code java.util.Random} hardly differ between neighbouring seeds.
 * Hence the habits here: the server is held to answers of a real one; what is written names its object; promises about
 * time are rules; and whatever is said to occur is counted, and too few of it fail the test.
 */
package dev.kopf4j.engine.chaos;
