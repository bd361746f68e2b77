-- live: no, because a node of before lets an invigilator of one room into all rooms
ALTER TABLE "memberships" ADD COLUMN "room" text;--> statement-breakpoint
ALTER TABLE "society_invitations" ADD COLUMN "room" text;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_room" CHECK ("memberships"."room" is null or ("memberships"."role" = 'invigilator' and btrim("memberships"."room") <> ''));--> statement-breakpoint
ALTER TABLE "society_invitations" ADD CONSTRAINT "society_invitations_room" CHECK ("society_invitations"."room" is null or ('invigilator' = any("society_invitations"."roles") and btrim("society_invitations"."room") <> ''));