package dev.kopf4j.cli.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * What a plan tells. Immutable.
 *
 * @param sections its parts, in the order in which people read them; those without lines are left out
 * @param remarks what could not be known
 * @param unwatched what handlers of the new version are for, and the cluster does not serve so: nothing of it is known
 */
public record PlannedChanges(List<Section> sections, List<String> remarks, List<String> unwatched) {
    /** Copies the lists. */
    public PlannedChanges {
        sections =
                sections.stream().filter(section -> !section.items().isEmpty()).toList();
        remarks = List.copyOf(remarks);
        unwatched = List.copyOf(unwatched);
    }

    /**
     * A part of a plan.
     *
     * @param title what it is about
     * @param changes true if it says that something would change
     * @param items what would happen
     */
    public record Section(String title, boolean changes, List<Item> items) {
        /** Copies the list. */
        public Section {
            items = List.copyOf(items);
        }
    }

    /**
     * Something that would happen.
     *
     * @param title what, in a line
     * @param details the objects concerned, and what is special about them
     */
    public record Item(String title, List<String> details) {
        /** Copies the list. */
        public Item {
            details = List.copyOf(details);
        }
    }

    /** True if something would change. */
    public boolean hasChanges() {
        return sections.stream().anyMatch(Section::changes);
    }

    /**
     * The plan as lines.
     *
     * @param objectsMax how many objects of each item are named
     */
    public List<String> lines(int objectsMax) {
        List<String> lines = new ArrayList<>();
        for (Section section : sections) {
            lines.add(section.title());
            for (Item item : section.items()) {
                lines.add("  " + item.title());
                item.details().stream().limit(objectsMax).forEach(each -> lines.add("      " + each));
                int more = item.details().size() - objectsMax;
                if (more > 0 && objectsMax > 0) {
                    lines.add("      and " + more + " more");
                }
            }
            lines.add("");
        }
        remarks.forEach(each -> lines.add("Note: " + each));
        if (!unwatched.isEmpty()) {
            lines.add("Not looked at, so that nothing is known of their objects: " + String.join(", ", unwatched)
                    + ". Let the handlers name a group and version that are served.");
        }
        lines.add(
                hasChanges()
                        ? "Something would change."
                        : "Nothing would change" + (unwatched.isEmpty() ? "." : " of what was looked at."));
        return lines;
    }
}
